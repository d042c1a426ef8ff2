import { contextBridge, ipcRenderer } from 'electron'

contextBridge.exposeInMainWorld('afterword', {
  call: (name: string, input: unknown) => ipcRenderer.invoke('afterword:call', name, input),
  on: (listener: (name: string, payload: unknown) => void) => {
    const receive = (_event: unknown, name: string, payload: unknown): void => listener(name, payload)
    ipcRenderer.on('afterword:event', receive)
    return () => void ipcRenderer.off('afterword:event', receive)
  },
  onConnection: () => () => {},
})
