import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { headingOf, ReportText } from '#renderer/lib/recovery-report.tsx'
import { reportWords as words } from '#renderer/strings/recovery-report.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { Group } from './setting.tsx'

/** What was repaired and lost, once it was read; without reports there is nothing to show. */
export function ReportsGroup() {
  const reports = useCall('recovery.readReports', {}).data ?? []
  const [shown, setShown] = useState<RecoveryReport | null>(null)
  if (reports.length === 0) return null
  return (
    <Group title={words.group}>
      {reports.map((report) => {
        const { title, lead } = headingOf(report)
        return (
          <div key={report.id} className="setting">
            <div className="setting-words">
              <p className="setting-label">{words.ofDay(formatFullDate(report.at), title)}</p>
              <p className="setting-text">{lead}</p>
            </div>
            <Button onPress={() => setShown(report)}>{words.show}</Button>
          </div>
        )
      })}
      {shown !== null && <ReadReport report={shown} onClose={() => setShown(null)} />}
    </Group>
  )
}

function ReadReport({ report, onClose }: { readonly report: RecoveryReport; readonly onClose: () => void }) {
  const remove = useAction('recovery.removeRead')
  return (
    <Dialog
      {...headingOf(report)}
      icon={LifeBuoy}
      isOpen
      onClose={onClose}
      isReading
      size="wide"
      actions={
        <>
          <Button
            busy={remove.isPending ? words.removing : undefined}
            onPress={() => remove.mutate({ id: report.id }, { onSuccess: onClose })}
          >
            {words.remove}
          </Button>
          <Button variant="filled" onPress={onClose}>
            {words.close}
          </Button>
        </>
      }
    >
      <ReportText report={report} />
      {remove.error !== null && <Problem code={remove.error.code} />}
    </Dialog>
  )
}
