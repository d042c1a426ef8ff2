/** Settings of one start of the app, from the test through the environment. */
export interface StandInOptions {
  /** The built entry module of the main process. */
  readonly entry: string
  /** The folder of the package.json that Electron would read name and version from. */
  readonly appPath: string
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly args: readonly string[]
  /** The system's microphone permission at the start, and the person's answer to the system's question. */
  readonly microphone: { readonly status: 'not-determined' | 'granted' | 'denied' | 'restricted'; readonly answer: boolean }
  /** Net error codes of the first page loads, in order; null means the load works. */
  readonly failedLoads: readonly (number | null)[]
  /** False: the window never paints, so `ready-to-show` never comes. */
  readonly paints: boolean
  /** The proxy in the system settings, as host:port. */
  readonly systemProxy: string | null
  /** Of the region's formats, as Electron writes it. */
  readonly systemLocale: string
}

const standard: StandInOptions = {
  entry: '',
  appPath: process.cwd(),
  platform: process.platform,
  isPackaged: false,
  args: [],
  microphone: { status: 'granted', answer: true },
  failedLoads: [],
  paints: true,
  systemProxy: null,
  systemLocale: 'en-US',
}

export const options: StandInOptions = {
  ...standard,
  ...(JSON.parse(process.env['AFTERWORD_STAND_IN'] ?? '{}') as Partial<StandInOptions>),
}
