import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import * as access from '../../../api/access.gen.ts'
import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { useIntent } from '../../../api/intent.ts'
import { isProblem } from '../../../api/problem.ts'
import { RecordHead } from '../../../patterns/record-head.tsx'
import type { Catalogue } from '../../../patterns/rule-builder/rule/rule-catalogue.ts'
import type { RuleProblem } from '../../../patterns/rule-builder/rule/rule-problems.ts'
import { type Group, toRule } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { describeProblem } from '../../../patterns/show-problem.ts'
import { NoPermissionPage, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { may, useMe } from '../../../session/me.ts'
import { formTexts } from '../../../texts/en/form-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { focusFirstProblem } from '../record/focus-problem.ts'
import { RuleTab } from '../record/rule-tab.tsx'
import styles from '../record/segment.module.css'
import { forgetDraft, useRuleDraft } from '../record/use-rule-draft.ts'
import { useRulePage } from '../record/use-rule-page.ts'
import { catalogueQuery, createSegment, type ObjectType, storeSegment } from '../segment-queries.ts'
import { objectTypes, parseType } from '../segment-search.ts'
import formStyles from './new-segment.module.css'

export function NewSegmentPage() {
  const me = useMe()
  const type = parseType(useSearch({ strict: false }))
  return may(me, access.createSegment) ? (
    <NewSegment key={type} type={type} />
  ) : (
    <NoPermissionPage area={texts.area} scope="segments.write" />
  )
}

function NewSegment({ type }: { type: ObjectType }) {
  const { data, error, refetch } = useQuery(catalogueQuery(type))
  if (data) return <Editor type={type} catalogue={data} />
  return (
    <>
      <h1 className="visually-hidden">{texts.create}</h1>
      {error ? (
        <ProblemState error={error} part={texts.tabs.rule} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={6} />
      )}
    </>
  )
}

const nameDraft = 'segment:name'
const nothing = { rules: null, problems: [], references: [] }

/** The rule of a segment before it is created. Nothing is stored until the user saves. */
function Editor({ type, catalogue }: { type: ObjectType; catalogue: Catalogue }) {
  const me = useMe()
  const navigate = useNavigate()
  const draftId = `new-${type}`
  const edited = useRuleDraft({ id: draftId, version: 0, rules: null })
  const [name, setName] = useState(() => readDraft(nameDraft))
  const [nameError, setNameError] = useState<string>()
  const [refused, setRefused] = useState<{ tree: Group; problems: readonly RuleProblem[] }>()
  const [isSaving, setSaving] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const intent = useIntent()
  const canPreview = may(me, access.previewSegment)
  const { tree } = edited.draft
  const isEmpty = tree.items.length === 0
  const page = useRulePage({
    objectType: type,
    catalogue,
    edited,
    saved: nothing,
    refused,
    canPreview: canPreview && !isEmpty,
  })

  const refuse = (message: string) => {
    setNameError(message)
    nameField.current?.focus()
  }
  const save = async (): Promise<void> => {
    if (isSaving) return
    if (name.trim() === '') return refuse(texts.nameRequired)
    if (isEmpty || page.incomplete.size > 0 || page.problems.size > 0) {
      page.check()
      if (isEmpty) showToast(texts.ruleRequired, { tone: 'failed' })
      return focusFirstProblem()
    }
    setSaving(true)
    const body = { object_type: type, name: name.trim(), rules: toRule(tree) }
    try {
      const { task_id: _, ...segment } = await createSegment(body, intent.keyOf(body))
      intent.end()
      forgetDraft(draftId)
      writeDraft(nameDraft, '')
      storeSegment(segment)
      showToast(texts.created(segment.name))
      await navigate({ to: `/segments/${segment.id}` as '/', replace: true })
    } catch (error) {
      const problems = isProblem(error) ? error.errors.filter(({ path }) => path.startsWith('/rules')) : []
      if (problems.length > 0) setRefused({ tree, problems })
      else refuse(describeProblem(error, texts.problem))
    } finally {
      setSaving(false)
    }
  }
  useCommands([
    { id: 'segment:save', label: texts.save, group: texts.segment, keys: ['Mod+Enter'], run: () => void save() },
  ])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    void save()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl and Enter save from every control
    <div className={styles.page} onKeyDown={handleKey}>
      <RecordHead
        list={{ to: '/segments', search: searchOfList('/segments', location.pathname), label: texts.title }}
        name={texts.create}
      >
        <Button variant="primary" keys="Mod+Enter" disabled={isSaving} onClick={() => void save()}>
          {formTexts.save}
        </Button>
      </RecordHead>
      <div className={formStyles.bar}>
        <label className={formStyles.field}>
          <span>{texts.fields.name}</span>
          <input
            ref={nameField}
            maxLength={150}
            autoComplete="off"
            value={name}
            aria-invalid={nameError ? true : undefined}
            aria-describedby={nameError ? 'segment-name-error' : undefined}
            onChange={({ target }) => {
              setName(target.value)
              setNameError(undefined)
              writeDraft(nameDraft, target.value)
            }}
          />
        </label>
        <label className={formStyles.field}>
          <span>{texts.fields.type}</span>
          <select
            value={type}
            onChange={({ target }) =>
              void navigate({ to: '.', search: { type: target.value } as never, replace: true })
            }
          >
            {objectTypes.map((one) => (
              <option key={one} value={one}>
                {texts.types[one]}
              </option>
            ))}
          </select>
        </label>
        {nameError && (
          <p id="segment-name-error" className={styles.error} role="alert">
            {nameError}
          </p>
        )}
      </div>
      <div className={styles.part}>
        <RuleTab
          page={page}
          edited={edited}
          objectType={type}
          isReadOnly={false}
          canPreview={canPreview && !isEmpty}
          notice={isEmpty && <p className={`${styles.banner} ${styles.grey}`}>{texts.begin}</p>}
        />
      </div>
    </div>
  )
}
