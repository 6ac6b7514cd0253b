import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import * as access from '../../../api/access.gen.ts'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import type { Catalogue } from '../../../patterns/rule-builder/rule/rule-catalogue.ts'
import { type Rule, toRule, toTree } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { describeRule, toText } from '../../../patterns/rule-builder/rule/rule-words.ts'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { may, useMe } from '../../../session/me.ts'
import { formTexts } from '../../../texts/en/form-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { catalogueQuery, type Segment } from '../segment-queries.ts'
import { mayChangeSegment } from '../segment-rights.ts'
import { focusFirstProblem } from './focus-problem.ts'
import { keepDraft } from './rule-draft.ts'
import { RuleTab } from './rule-tab.tsx'
import styles from './segment.module.css'
import { SegmentActions } from './segment-actions.tsx'
import { SegmentFrame } from './segment-frame.tsx'
import { type EditedRule, useRuleDraft } from './use-rule-draft.ts'
import { useRulePage } from './use-rule-page.ts'
import { useSaveRule } from './use-save-rule.ts'

export function DynamicSegment({ segment }: { segment: Segment }) {
  const { data, error, refetch } = useQuery(catalogueQuery(segment.object_type))
  if (data) return <EditedSegment segment={segment} catalogue={data} />
  const rule = error ? (
    <ProblemState error={error} part={texts.tabs.rule} retry={() => void refetch()} />
  ) : (
    <Skeleton rows={6} />
  )
  return (
    <SegmentFrame
      segment={segment}
      count={storedCount(segment)}
      rule={rule}
      actions={<SegmentActions segment={segment} isDirty={false} />}
    />
  )
}

export const storedCount = ({ member_count: count, member_count_relation: relation }: Segment) =>
  count === null ? undefined : { count, relation: relation ?? 'eq' }

function EditedSegment({ segment, catalogue }: { segment: Segment; catalogue: Catalogue }) {
  const me = useMe()
  const navigate = useNavigate()
  const edited = useRuleDraft(segment)
  const { save, isSaving, refused } = useSaveRule(segment, edited)
  const canChange = mayChangeSegment(me, segment)
  const canPreview = may(me, access.previewSegment)
  const objectType = segment.object_type
  const page = useRulePage({ objectType, catalogue, edited, saved: segment, refused, canPreview })
  const { isDirty, isOutdated } = edited

  const saveChecked = () => {
    if (!canChange || !isDirty || isSaving || isOutdated) return
    if (page.incomplete.size === 0 && page.problems.size === 0) return void save()
    page.check()
    focusFirstProblem()
  }
  useCommands([
    {
      id: 'segment:save',
      label: texts.save,
      group: texts.segment,
      keys: ['Mod+Enter'],
      isAvailable: canChange && isDirty,
      run: saveChecked,
    },
  ])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    saveChecked()
  }
  const { counted, status } = page.preview.state
  const live = !isDirty && status === 'done' && counted
  const describe = (rule: Rule) => toText(describeRule(toTree(rule), objectType, page.words))
  return (
    <SegmentFrame
      segment={segment}
      count={live ? { count: live.result.count, relation: live.result.count_relation } : storedCount(segment)}
      onKeyDown={handleKey}
      note={isDirty && <span className={styles.note}>{recordTexts.notSaved}</span>}
      actions={
        <>
          <SegmentActions segment={segment} isDirty={isDirty} discard={edited.discard} />
          {canChange && (
            <Button variant="primary" keys="Mod+Enter" disabled={!isDirty || isSaving} onClick={saveChecked}>
              {formTexts.save}
            </Button>
          )}
        </>
      }
      rule={
        <RuleTab
          page={page}
          edited={edited}
          objectType={objectType}
          isReadOnly={!canChange}
          canPreview={canPreview}
          stored={segment}
          showPeople={isDirty ? undefined : () => void navigate({ to: '.', search: { tab: 'people' } as never })}
          notice={
            <RuleNotices
              segment={segment}
              edited={edited}
              problems={page.problems.size}
              canChange={canChange}
              save={save}
              describe={describe}
            />
          }
        />
      }
    />
  )
}

type NoticesProps = {
  segment: Segment
  edited: EditedRule
  problems: number
  canChange: boolean
  save: () => Promise<void>
  describe: (rule: Rule) => string
}

function RuleNotices({ segment, edited, problems, canChange, save, describe }: NoticesProps) {
  const me = useMe()
  const saved = { version: segment.version, rules: segment.rules }
  if (edited.isOutdated)
    return (
      <ConflictBar
        changes={{
          conflicts: [{ field: 'rules', mine: toRule(edited.draft.tree), theirs: saved.rules }],
          takeTheirs: edited.discard,
          saveMine() {
            edited.update((before) => keepDraft(before, saved))
            void save()
          },
        }}
        labelOf={() => texts.tabs.rule}
        format={(_, value) => describe(value as Rule)}
      />
    )
  if (problems > 0)
    return (
      <p className={`${styles.banner} ${styles.red}`} role="alert">
        <CircleAlert size={16} aria-hidden="true" />
        {segment.state === 'invalid' ? texts.invalidText(problems) : texts.problemsText(problems)}
      </p>
    )
  if (!canChange && may(me, access.updateSegment))
    return <p className={`${styles.banner} ${styles.grey}`}>{texts.notYours}</p>
  return null
}
