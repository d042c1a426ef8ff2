import type { Menu as RealMenu, NativeImage, Notification, NotificationConstructorOptions, Tray } from 'electron'
import { app } from './app.ts'
import { record } from './journal.ts'
import type { Menu } from './menu.ts'
import { type Faithful, NativeEmitter } from './native-emitter.ts'
import { register } from './registrations.ts'

interface FakeImage {
  readonly color: string
  isTemplate: boolean
}

/** The fake images that the app holds as Electron's. */
const images = new WeakMap<object, FakeImage>()

function createFromBitmap(bitmap: Buffer, { width, height }: { width: number; height: number }): NativeImage {
  if (bitmap.byteLength !== width * height * 4) throw new Error('invalid buffer size')
  const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4
  const state: FakeImage = { color: bitmap.readUInt32LE(middle).toString(16), isTemplate: false }
  // The stand-in has the one method that the tray calls.
  const image = { setTemplateImage: (is: boolean) => void (state.isTemplate = is) } as unknown as NativeImage
  images.set(image, state)
  return image
}

const fakeNativeImage = { createFromBitmap }
export const nativeImage = fakeNativeImage satisfies Faithful<typeof fakeNativeImage, typeof Electron.nativeImage>

/** The latest one, if any. */
const trays: StandInTray[] = []

class StandInTray extends NativeEmitter<Tray> {
  #image: NativeImage
  #toolTip = ''
  #menu: Menu | null = null

  constructor(image: NativeImage) {
    super('tray')
    if (!app.isReady()) throw new Error('Cannot create Tray before app is ready')
    this.#image = image
    if (register('new Tray')) trays.unshift(this)
  }

  setImage(image: NativeImage): void {
    if (register('tray.setImage')) this.#image = image
  }

  setToolTip(toolTip: string): void {
    if (register('tray.setToolTip')) this.#toolTip = toolTip
  }

  setContextMenu(menu: RealMenu | null): void {
    if (register('tray.setContextMenu')) this.#menu = menu as Menu | null
  }

  get standIn() {
    return {
      state: () => ({ toolTip: this.#toolTip, items: this.#menu?.described() ?? [], ...images.get(this.#image) }),
      click: () => void this.emit('click'),
      choose: (label: string): void => this.#menu?.choose(label),
    }
  }
}

export { StandInTray as Tray }
export const theTray = (): StandInTray['standIn'] => {
  if (trays[0] === undefined) throw new Error('there is no tray icon')
  return trays[0].standIn
}

const shown: StandInNotification[] = []

class StandInNotification extends NativeEmitter<Notification> {
  readonly #options: NotificationConstructorOptions

  constructor(options: NotificationConstructorOptions) {
    super('notification')
    this.#options = options
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    if (!register('notification.show')) return
    shown.unshift(this)
    record('notification', this.#options)
  }
}

export { StandInNotification as Notification }
export const clickNotification = (): boolean => shown[0]?.emit('click') ?? false
