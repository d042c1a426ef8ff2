import type { MenuItemConstructorOptions } from 'electron'
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
      template.map(({ label, role, accelerator, submenu, click }) => ({
        label: label ?? role ?? '',
        role: role ?? null,
        accelerator: accelerator ?? null,
        submenu: Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : ((submenu as Menu | undefined) ?? null),
        click: (click as (() => void) | undefined) ?? null,
      })),
    )
  }

  static setApplicationMenu(menu: Menu | null): void {
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

export { Menu }
