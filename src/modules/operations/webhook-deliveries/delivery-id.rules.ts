import { hash } from 'node:crypto'

/** Derives the id of the first delivery: the time of the event and a hash, in the form of a UUID version 7. */
export function deriveDeliveryId(endpointId: string, eventId: string): string {
  const digest = hash('sha256', `${endpointId}:${eventId}`)
  const variant = '89ab'[Number.parseInt(digest[3]!, 16) % 4]
  return `${eventId.slice(0, 13)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}
