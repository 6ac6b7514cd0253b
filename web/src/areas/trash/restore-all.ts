const maxRequests = 4

type RestoreOutcome<T> = { restored: readonly T[]; failed: readonly { record: T; error: unknown }[] }

/** Restores records independently of each other, a few at a time. */
export async function restoreAll<T>(
  records: readonly T[],
  restore: (record: T) => Promise<unknown>,
): Promise<RestoreOutcome<T>> {
  const restored: T[] = []
  const failed: { record: T; error: unknown }[] = []
  const waiting = [...records]
  const restoreNext = async (): Promise<void> => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
      try {
        await restore(record)
        restored.push(record)
      } catch (error) {
        failed.push({ record, error })
      }
    }
  }
  await Promise.all(Array.from({ length: maxRequests }, restoreNext))
  return { restored, failed }
}
