const minSent = 100
const maxBouncedPercent = 5

export const areTooManyBounces = (sent: number, bounced: number): boolean =>
  sent >= minSent && bounced * 100 > sent * maxBouncedPercent
