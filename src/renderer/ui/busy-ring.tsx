import './busy-ring.css'

/** The one thing beside the recording level that may turn. */
export function BusyRing() {
  return <span className="ui-busy-ring" aria-hidden />
}
