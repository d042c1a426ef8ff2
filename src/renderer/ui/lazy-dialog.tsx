import { type ComponentType, type ReactNode, lazy, Suspense } from 'react'

/** A dialog whose script is loaded when it first opens, or earlier with a page that has it. Until then nothing is shown. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }))
  return (props) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  )
}
