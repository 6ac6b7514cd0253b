import { useEffect, useState } from 'react'
import { api, read, type Schemas } from '../../api/client.ts'
import { useStore } from '../../api/store.ts'
import { createPreviewSchedule, type PreviewState } from './rule/preview-schedule.ts'
import { type Rule, ruleKey } from './rule/rule-tree.ts'
import type { ObjectType } from './rule/rule-words.ts'

export type Preview = Schemas['SegmentPreview']

export type LivePreview = {
  state: PreviewState<Preview>
  countNow: () => void
  countAll: () => void
}

const sampleSize = 10

/** Counts the rule whenever it has changed; not without a rule. */
export function usePreview(rule: Rule | undefined, objectType: ObjectType): LivePreview {
  const [schedule] = useState(() =>
    createPreviewSchedule<Preview>((rules, { mode, signal }) => {
      const body = { object_type: objectType, rules, sample_size: sampleSize, breakdown: true, count: mode }
      return read(api.POST('/api/segments/preview', { body, signal }))
    }),
  )
  const key = rule && ruleKey(rule)
  useEffect(() => schedule.change(rule), [schedule, key])
  useEffect(() => schedule.stop, [schedule])
  return { state: useStore(schedule.state), countNow: schedule.countNow, countAll: schedule.countAll }
}
