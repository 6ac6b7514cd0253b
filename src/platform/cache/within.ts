/** Rejects when the work takes longer. What has already arrived is looked at first, so that a pause of our own is not blamed on others. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }))
    const timer = setTimeout(() => setImmediate(giveUp), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
