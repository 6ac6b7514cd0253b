import { dealTexts } from '../../../texts/en/deal-texts.ts'
import type { MenuItem } from '../../../ui/menu-model.ts'
import type { DealSummary } from '../board-moves.ts'
import { hueOfStage } from '../stage-hues.ts'
import { StageDot } from './lane-header.tsx'

type Stage = { key: string; label: string; kind: 'open' | 'won' | 'lost' }

/** The stages that a deal can move to, with the keys of its neighbors. */
export function toStageMenu(
  stages: readonly Stage[],
  deal: DealSummary,
  move: (deal: DealSummary, toKey: string) => void,
): MenuItem[] {
  const at = stages.findIndex(({ key }) => key === deal.stage_key)
  const toItem = ({ key, label }: Stage): MenuItem => ({
    label,
    icon: <StageDot hue={hueOfStage(stages, key)} />,
    keys: stages[at + 1]?.key === key ? ']' : stages[at - 1]?.key === key ? '[' : undefined,
    run: () => move(deal, key),
  })
  const others = stages.filter(({ key }) => key !== deal.stage_key)
  return [
    { kind: 'line' },
    { kind: 'title', label: dealTexts.moveToTitle },
    ...others.filter(({ kind }) => kind === 'open').map(toItem),
    { kind: 'line' },
    ...others.filter(({ kind }) => kind !== 'open').map(toItem),
  ]
}
