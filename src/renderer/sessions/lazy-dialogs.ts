import { lazyDialog } from '#renderer/ui/lazy-dialog.tsx'

const changes = () => import('./appointment-dialogs.tsx')

export const NewSessionDialog = lazyDialog(async () => (await import('./new-session-dialog.tsx')).NewSessionDialog)
export const ChangeDialog = lazyDialog(async () => (await changes()).ChangeDialog)
export const EndDialog = lazyDialog(async () => (await changes()).EndDialog)
