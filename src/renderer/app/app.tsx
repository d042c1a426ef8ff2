import { QueryClientProvider } from '@tanstack/react-query'
import { I18nProvider } from 'react-aria-components'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { RecorderProvider } from '#renderer/bridge/recorder-context.tsx'
import { Gate } from '#renderer/features/gate/gate.tsx'
import { ToastProvider } from '#renderer/ui/toast.tsx'
import { ClosingScreen } from './closing-screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Frame } from './frame.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { useShortcuts } from './keyboard.ts'
import { LostServerDialog } from './lost-server-dialog.tsx'
import { useToggleNames } from '#renderer/lib/names.ts'

export function App() {
  useKeptFocus()
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale="en-GB">
        <NamesKey />
        <RecorderProvider>
          <ErrorBoundary>
            <Gate>
              {/* Inside the gate: what a toast says goes with the records when they lock. */}
              <ToastProvider>
                <Frame />
              </ToastProvider>
            </Gate>
            <ClosingScreen />
          </ErrorBoundary>
        </RecorderProvider>
        <LostServerDialog />
      </I18nProvider>
    </QueryClientProvider>
  )
}

/** Before the gate: the key is heard from the first moment, before there is a name to be seen. */
function NamesKey() {
  useShortcuts([{ key: 'h', command: true, shift: true, onKey: useToggleNames() }])
  return null
}
