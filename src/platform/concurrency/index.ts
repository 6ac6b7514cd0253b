export { createFlusher } from './flusher.ts'
export { createBatchPace, mapConcurrently, mapWithPauses } from './map-concurrently.ts'
export { createSemaphore, QueueFullError, type Semaphore } from './semaphore.ts'
export { lowerThreadPriority } from './thread-priority.ts'
