export { createFlusher } from './flusher.ts'
export { mapConcurrently } from './map-concurrently.ts'
export { createBatchPace } from './pace-batches.ts'
export { createSemaphore, QueueFullError, type Semaphore } from './semaphore.ts'
