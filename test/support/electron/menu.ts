import type { MenuItemConstructorOptions } from 'electron'
import { app } from './app.ts'
import { register } from './registrations.ts'

/** Electron's default menu (lib/browser/default-menu.ts), used unless the app sets another one. */
const defaultRoles = ['appMenu', 'fileMenu', 'editMenu', 'viewMenu', 'windowMenu'] as const
const partsOf: Readonly<Record<string, readonly string[]>> = {
  appMenu: ['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit'],
  fileMenu: ['close', 'quit'],
  editMenu: ['undo', 'redo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll'],
  viewMenu: ['reload', 'forceReload', 'toggleDevTools', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'],
  windowMenu: ['minimize', 'zoom', 'close', 'front'],
}

interface MenuItem {
  readonly label: string
  readonly role: string | null
  readonly accelerator: string | null
  readonly enabled: boolean
  readonly submenu: Menu | null
  readonly click: (() => void) | null
}

class Menu {
  readonly items: readonly MenuItem[]

  constructor(items: readonly MenuItem[] = []) {
    this.items = items
  }

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): Menu {
    return new Menu(
      template.map(({ label, role, accelerator, submenu, click, enabled = true }) => ({
        enabled,
        label: label ?? role ?? '',
        role: role ?? null,
        accelerator: accelerator ?? null,
        submenu: Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : ((submenu as Menu | undefined) ?? null),
        click: (click as (() => void) | undefined) ?? null,
      })),
    )
  }

  /** Every item, for example `File > Search (CmdOrCtrl+K), off`. */
  described(path = ''): string[] {
    return this.items.flatMap(({ label, role, accelerator, submenu, enabled }) => {
      if (submenu !== null) return submenu.described(`${path}${label} > `)
      if (label === '' && role === null) return []
      return [`${path}${label}${accelerator === null ? '' : ` (${accelerator})`}${enabled ? '' : ', off'}`]
    })
  }

  /** Clicks the item with this label, as a person can only if it is enabled. */
  choose(label: string): void {
    const all = (menu: Menu): MenuItem[] => menu.items.flatMap((item) => (item.submenu === null ? [item] : all(item.submenu)))
    const found = all(this).find((item) => item.label === label)
    if (!found?.enabled) throw new Error(`the menu has no ${label} to click`)
    found.click?.()
  }

  static setApplicationMenu(menu: Menu | null): void {
    if (!app.isReady()) throw new Error('Menu.setApplicationMenu can only be called after app is ready')
    if (register('Menu.setApplicationMenu')) current = menu
  }

  static getApplicationMenu(): Menu | null {
    return current
  }
}

let current: Menu | null = Menu.buildFromTemplate(defaultRoles.map((role) => ({ role })))

/** All roles in the application menu, including those inside predefined menus. */
export function menuRoles(): string[] {
  const walk = (menu: Menu): string[] =>
    menu.items.flatMap(({ role, submenu }) => {
      if (submenu !== null) return walk(submenu)
      return role === null ? [] : (partsOf[role] ?? [role])
    })
  return current === null ? [] : walk(current)
}

export const applicationMenu = (): Menu => {
  if (current === null) throw new Error('there is no menu bar')
  return current
}

export { Menu }
