import { Menu, type MenuItemConstructorOptions } from 'electron'
import { words } from './words.ts'

/**
 * Replaces Electron's default menu, whose keys reload the window and open the developer tools. What stays: editing, zoom
 * and full screen everywhere, and on macOS the usual app and window menus.
 */
export function setMenu(platform: NodeJS.Platform = process.platform): void {
  const edit: MenuItemConstructorOptions = {
    label: words.menu.edit,
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'delete' },
      { role: 'selectAll' },
    ],
  }
  const view: MenuItemConstructorOptions = {
    label: words.menu.view,
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  }
  const template =
    platform === 'darwin' ? [{ role: 'appMenu' } as const, edit, view, { role: 'windowMenu' } as const] : [edit, view]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
