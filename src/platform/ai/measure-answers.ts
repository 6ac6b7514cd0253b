import type { Metrics } from '#platform/telemetry'
import type { Models } from './models.ts'

/** Who answered since the process began: the model, or the rules and why. */
export function measureAnswers(metrics: Metrics, models: Pick<Models, 'outcomes'>): void {
  metrics.gauge({
    name: 'ai_answers',
    help: 'Answers since the start, by outcome: the model, or why the rules had to answer.',
    labels: ['outcome'],
    read: () => [...models.outcomes()].map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
}
