const maxRequests = 4

export type EachOutcome<T> = { done: readonly T[]; failed: readonly { record: T; error: unknown }[] }

/** Sends a request for each record, independently of each other and a few at a time. */
export async function sendEach<T>(
  records: readonly T[],
  send: (record: T) => Promise<unknown>,
): Promise<EachOutcome<T>> {
  const done: T[] = []
  const failed: { record: T; error: unknown }[] = []
  const waiting = [...records]
  const sendNext = async (): Promise<void> => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
      try {
        await send(record)
        done.push(record)
      } catch (error) {
        failed.push({ record, error })
      }
    }
  }
  await Promise.all(Array.from({ length: maxRequests }, sendNext))
  return { done, failed }
}
