export type { Model } from './model.ts'
export { type AssistAnswer, type Engine, type FallbackReason, toRulesAnswer } from './model-answer.ts'
export { createModelClient, type ModelClient, type ModelRequest } from './model-client.ts'
export { registerModelMetrics } from './model-metrics.ts'
