type Call<T> = { result: Promise<T>; next?: Promise<T> }

/** Coalesces concurrent calls per key. A caller never gets a result that was requested before its own call. */
export function coalesceCalls<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const calls = new Map<string, Call<T>>()

  function start(key: string): Promise<T> {
    const call: Call<T> = { result: load(key) }
    calls.set(key, call)
    const finish = () => {
      if (!call.next) calls.delete(key)
    }
    call.result.then(finish, finish)
    return call.result
  }

  return (key) => {
    const call = calls.get(key)
    if (!call) return start(key)
    const startNext = () => start(key)
    call.next ??= call.result.then(startNext, startNext)
    return call.next
  }
}
