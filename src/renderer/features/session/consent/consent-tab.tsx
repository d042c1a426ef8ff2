import type { SessionData } from '../session-data.ts'
import { AudioFacts } from './audio-facts.tsx'
import { ConsentPeople } from './consent-people.tsx'
import './consent.css'

export function ConsentTab({ data }: { readonly data: SessionData }) {
  return (
    <div className="tab-body consent-tab" data-region tabIndex={-1}>
      <ConsentPeople data={data} />
      <AudioFacts data={data} />
    </div>
  )
}
