/** Work that is under way under one name is shared by all who ask for it meanwhile; it stops when nobody waits any more. */
export function createFlights<Result>() {
  const flights = new Map<string, { result: Promise<Result>; stop: AbortController; waiting: number }>()

  return async function fly(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const flight = flights.get(name) ?? start(name, work)
    flight.waiting += 1
    try {
      return await orAborted(flight.result, signal)
    } finally {
      flight.waiting -= 1
      if (flight.waiting === 0) flight.stop.abort(signal.reason)
      if (flight.waiting === 0 && flights.get(name) === flight) flights.delete(name)
    }
  }

  function start(name: string, work: (signal: AbortSignal) => Promise<Result>) {
    const stop = new AbortController()
    const flight = { result: work(stop.signal), stop, waiting: 0 }
    // Whoever waits hears of it; nobody may be left to.
    flight.result.catch(() => {})
    flights.set(name, flight)
    return flight
  }
}

async function orAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([result, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
