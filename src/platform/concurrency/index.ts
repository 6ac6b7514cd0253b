export { createFlusher } from './flusher.ts'
export { mapConcurrently } from './map-concurrently.ts'
export { createSemaphore, QueueFullError } from './semaphore.ts'
