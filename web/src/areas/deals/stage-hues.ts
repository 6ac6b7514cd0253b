import type { Hue } from '../../ui/badge.tsx'

const openHues: readonly Hue[] = ['info', 'violet', 'teal', 'warning']

type Stage = { key: string; kind: 'open' | 'won' | 'lost' }

/** The color of a stage follows its place among the open stages. */
export function hueOfStage(stages: readonly Stage[], key: string): Hue {
  const kind = stages.find((stage) => stage.key === key)?.kind
  if (kind === 'won') return 'success'
  if (kind === 'lost') return 'neutral'
  const at = stages.filter((stage) => stage.kind === 'open').findIndex((stage) => stage.key === key)
  return openHues[Math.max(0, at) % openHues.length]!
}
