/** Source of the current time; passed in, so that tests can change it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const secondsLater = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000)

export const daysLater = (from: Date, days: number): Date => secondsLater(from, days * 86_400)
