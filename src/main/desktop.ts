import { app, Menu, type MenuItemConstructorOptions, nativeImage, Notification, Tray } from 'electron'
import type { AppState } from '#contract/bridge/app.ts'
import type { EventPayload } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { RecordingState } from './microphone.ts'
import { words } from './words.ts'

type Command = EventPayload<'app.command'>['command']
type Item = MenuItemConstructorOptions

interface DesktopOptions {
  readonly recording: RecordingState
  readonly onCommand: (command: Command) => void
  readonly lock: () => void
  readonly show: () => void
  readonly isFocused: () => boolean
}

/** The menu bar, the tray icon, and notifications. None says anything about a client, and none opens locked records. */
export function createDesktop(options: DesktopOptions, platform: NodeJS.Platform = process.platform) {
  const { recording, lock, show, isFocused } = options
  let isReady = false
  let mayNotify = false
  // Held, because a notification that is garbage-collected no longer hears a click.
  let latest: Notification | null = null
  // Windows shows notifications only of apps with the id of their shortcut in the Start menu.
  if (platform === 'win32') app.setAppUserModelId('org.afterword.desktop')
  const tray = new Tray(trayImage(false, platform))
  // On macOS, a click opens the menu.
  if (platform !== 'darwin') tray.on('click', show)
  const refreshTray = (): void => {
    const state = recording.isRunning ? words.tray.recording : words.tray.notRecording
    tray.setImage(trayImage(recording.isRunning, platform))
    tray.setToolTip(state)
    const lockItem = { label: words.menu.lock, enabled: isReady, click: lock }
    const items: Item[] = [{ label: state, enabled: false }, separator, { label: words.tray.open, click: show }, lockItem]
    tray.setContextMenu(Menu.buildFromTemplate([...items, { role: 'quit' }]))
  }
  const refresh = (): void => {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuBar(options, isReady, platform)))
    refreshTray()
  }
  refresh()
  recording.onChange(refreshTray)
  return {
    apply: ({ notify_when_ready }: Settings): void => void (mayNotify = notify_when_ready),
    onEvent(name: string, payload: unknown): void {
      if (name === 'app.changed' && isReady !== ((payload as AppState).phase === 'ready')) {
        isReady = !isReady
        refresh()
      }
      if (name !== 'work.finished' || !isReady || !mayNotify || isFocused() || !Notification.isSupported()) return
      latest = new Notification({ title: 'Afterword', body: words.ready[(payload as EventPayload<'work.finished'>).kind] })
      latest.on('click', show)
      latest.show()
    },
  }
}

const separator: Item = { type: 'separator' }
const pages = ['today', 'clients', 'calendar', 'reports'] as const

/** Replaces Electron's default menu, which can reload the window and open the developer tools. */
function menuBar({ onCommand, lock, show }: DesktopOptions, isReady: boolean, platform: NodeJS.Platform): Item[] {
  const command = (name: Command, accelerator?: string): Item => {
    const click = (): void => {
      show()
      onCommand(name)
    }
    return { label: words.menu[name], enabled: isReady, click, ...(accelerator !== undefined && { accelerator }) }
  }
  const settings = command('settings', 'CmdOrCtrl+,')
  const lockItem = { label: words.menu.lock, enabled: isReady, click: lock, accelerator: 'CmdOrCtrl+L' }
  const create = [command('appointment', 'CmdOrCtrl+N'), command('client', 'CmdOrCtrl+Shift+N')]
  const file = [...create, separator, command('find', 'CmdOrCtrl+K'), separator]
  const edit = rolesOf('undo', 'redo', null, 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll')
  const goTo = pages.map((page, index) => command(page, `CmdOrCtrl+${index + 1}`))
  const view = [...goTo, separator, ...rolesOf('resetZoom', 'zoomIn', 'zoomOut', null, 'togglefullscreen')]
  const common: Item[] = [
    { label: words.menu.edit, submenu: edit },
    { label: words.menu.view, submenu: view },
  ]
  const help: Item = { role: 'help', label: words.menu.help, submenu: [command('shortcuts')] }
  if (platform !== 'darwin') {
    const submenu = [...file, settings, lockItem, separator, ...rolesOf('quit')]
    return [{ label: words.menu.file, submenu }, ...common, help]
  }
  const hide = rolesOf(null, 'services', null, 'hide', 'hideOthers', 'unhide', null, 'quit')
  const own: Item = { label: 'Afterword', submenu: [...rolesOf('about', null), settings, lockItem, ...hide] }
  return [own, { label: words.menu.file, submenu: file.slice(0, -1) }, ...common, { role: 'windowMenu' }, help]
}

const rolesOf = (...roles: readonly (NonNullable<Item['role']> | null)[]): Item[] =>
  roles.map((role) => (role === null ? separator : { role }))

const TRAY_PIXELS = 32
const RED = 0xff_a8_32_2b
const GRAY = 0xff_8a_84_78

/** A red dot while recording, otherwise a ring. */
function trayImage(isRecording: boolean, platform: NodeJS.Platform): Electron.NativeImage {
  const bitmap = Buffer.alloc(TRAY_PIXELS * TRAY_PIXELS * 4)
  for (let index = 0; index < TRAY_PIXELS * TRAY_PIXELS; index += 1) {
    const [x, y] = [index % TRAY_PIXELS, Math.floor(index / TRAY_PIXELS)]
    const radius = Math.hypot(x + 0.5 - TRAY_PIXELS / 2, y + 0.5 - TRAY_PIXELS / 2)
    if (isRecording ? radius < 12 : radius > 8 && radius < 12) bitmap.writeUInt32LE(isRecording ? RED : GRAY, index * 4)
  }
  const image = nativeImage.createFromBitmap(bitmap, { width: TRAY_PIXELS, height: TRAY_PIXELS, scaleFactor: 2 })
  // macOS colors a template image to fit the menu bar.
  if (platform === 'darwin') image.setTemplateImage(!isRecording)
  return image
}
