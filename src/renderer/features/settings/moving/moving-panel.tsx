import { useId, type ReactNode } from 'react'

/** One step; its heading says where it goes. */
export function MovingPanel({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="moving-panel" aria-labelledby={id}>
      <h3 id={id} className="moving-heading" tabIndex={-1}>
        {heading}
      </h3>
      {children}
    </section>
  )
}
