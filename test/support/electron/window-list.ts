/** The open windows, and the app's reactions to their closing. */
export interface ListedWindow {
  close(): void
  destroy(): void
}

const open = new Set<ListedWindow>()

export const windowList = {
  onEmpty: (): void => {},
  /** A window that refuses to close cancels quitting. */
  onCloseCancelled: (): void => {},
  isEmpty: (): boolean => open.size === 0,
  add: (window: ListedWindow): void => void open.add(window),
  remove(window: ListedWindow): void {
    if (open.delete(window) && open.size === 0) windowList.onEmpty()
  },
  closeAll(): void {
    for (const window of open) window.close()
  },
  destroyAll(): void {
    for (const window of open) window.destroy()
  },
}
