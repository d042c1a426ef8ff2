import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'

interface ServerTestProps {
  readonly method: 'settings.testSpeech' | 'settings.testLanguage'
  readonly words: Readonly<Record<'test' | 'testing' | 'ready' | 'notReady', string>>
  readonly offers: (count: number) => string
  /** Shown above the button after a test, with the models that the server offers. */
  readonly children?: (models: readonly string[]) => ReactNode
}

export function ServerTest({ method, words, offers, children }: ServerTestProps) {
  const test = useAction(method)
  const models = test.data?.models ?? []
  return (
    <>
      {models.length > 0 && children?.(models)}
      <div className="setting setting-test">
        <Button busy={test.isPending ? words.testing : undefined} onPress={() => test.mutate({})}>
          {words.test}
        </Button>
        <div role="status" className="setting-test-answer">
          {test.data?.ready && (
            <Notice tone="kept" icon={CircleCheck} title={words.ready}>
              {models.length > 0 && offers(models.length)}
            </Notice>
          )}
          {test.data && !test.data.ready && (
            <Notice tone="needs" icon={TriangleAlert} title={words.notReady}>
              {test.data.hint}
            </Notice>
          )}
          {test.error && <Problem code={test.error.code} />}
        </div>
      </div>
    </>
  )
}
