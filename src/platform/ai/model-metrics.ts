import type { Metrics } from '#platform/telemetry'
import type { ModelClient } from './model-client.ts'

export function registerModelMetrics(metrics: Metrics, models: Pick<ModelClient, 'outcomes'>): void {
  metrics.gauge({
    name: 'ai_answers',
    help: 'Answers since the process started, by outcome: the model, or the reason for the rules fallback.',
    labels: ['outcome'],
    read: () => [...models.outcomes()].map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
}
