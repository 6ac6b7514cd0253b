export { setConsumerOptIn } from './consumer-tenants.ts'
export {
  type Consumer,
  deleteConsumer,
  listConsumers,
  registerConsumers,
  startConsumerRegistration,
} from './consumers.ts'
export { deliverEventHandlers } from './deliver.ts'
export { emit, emitMany, emitPrivately } from './emit.ts'
export { listEventsAfter } from './list-events.ts'
export { dropOldEventsSchedule, ensurePartitionsSchedule } from './partitions.ts'
export { type EventScan, redactEvents, redactEventTable } from './redact-events.ts'
export { type Relay, relayBatch, startRelay } from './relay.ts'
export { getOutboxStats, listUnpublishedEvents, type OutboxStats, registerOutboxMetrics } from './stats.ts'
export {
  type DomainEvent,
  defineEvent,
  type EventDataOf,
  type EventEnvelope,
  findDefinedEvent,
  listDefinedEvents,
  registerSubscriptions,
  type Subscription,
  subjectTypeOf,
  subscribe,
  subscribeInTransaction,
  subscribeOptIn,
  subscribeToAll,
} from './subscriptions.ts'
