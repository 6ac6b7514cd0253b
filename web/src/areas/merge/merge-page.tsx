import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, Combine } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isProblem } from '../../api/problem.ts'
import { CompareFields } from '../../patterns/compare/compare-fields.tsx'
import { type ComparedField, listDifferences, toPreferences } from '../../patterns/compare/compare-records.ts'
import { PageHeader } from '../../patterns/page-header.tsx'
import { BackLink } from '../../patterns/record/back-link.tsx'
import { NotFoundState, ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useCommands } from '../../session/commands.ts'
import { mergeTexts as texts } from '../../texts/en/merge-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './merge.module.css'
import type { Preferences } from './merge-queries.ts'

type Read<Item> = { data?: Item; error: unknown; refetch: () => unknown }

type MergePageProps<Item> = {
  title: string
  /** The page of the record that is kept. */
  path: string
  search: object
  records: readonly [Read<Item>, Read<Item>]
  children: (records: readonly [Item, Item]) => ReactNode
}

/** A page that needs two records. */
export function MergePage<Item>({ title, path, search, records, children }: MergePageProps<Item>) {
  return (
    <>
      <PageHeader title={title} tabs={<BackLink to={path} search={search} label={texts.back} />} />
      <div className={styles.page}>
        <Records records={records}>{children}</Records>
      </div>
    </>
  )
}

function Records<Item>({ records, children }: Pick<MergePageProps<Item>, 'records' | 'children'>) {
  const [kept, other] = records
  if (kept.data !== undefined && other.data !== undefined) return children([kept.data, other.data])
  const failed = records.find(({ data, error }) => data === undefined && error)
  if (!failed) return <Skeleton rows={8} />
  if (isProblem(failed.error) && failed.error.status === 404)
    return <NotFoundState title={texts.gone} text={texts.goneText} />
  const retry = () => {
    for (const record of records) if (record.error) void record.refetch()
  }
  return <ProblemState error={failed.error} part={texts.part} retry={retry} />
}

type MergeFormProps<Item> = {
  records: readonly [Item, Item]
  nameOf: (record: Item) => string
  fields: readonly ComparedField<Item>[]
  /** Sentences about what happens besides the choices. */
  effects: readonly string[]
  /** The address of the same page with the other record as the one that is kept. */
  swapped: { to: string; search: object }
  /** Why the user cannot merge these records. */
  refusal?: string
  isPending: boolean
  merge: (prefer: Preferences) => void
}

export function MergeForm<Item extends { id: string }>({
  records,
  nameOf,
  fields,
  effects,
  swapped,
  refusal,
  isPending,
  merge,
}: MergeFormProps<Item>) {
  const [choices, setChoices] = useState<Readonly<Record<string, 0 | 1>>>({})
  const [kept, other] = records
  const differences = listDifferences(fields, records)
  const submit = () => merge(toPreferences(differences, choices, [kept.id, other.id]))
  useCommands([
    {
      id: 'merge:submit',
      label: texts.merge,
      group: texts.group,
      keys: ['Mod+Enter'],
      icon: <Combine size={17} />,
      isAvailable: !refusal && !isPending,
      run: submit,
    },
  ])
  return (
    <div className={styles.columns}>
      <div>
        <CompareFields
          records={[
            { name: nameOf(kept), note: texts.kept },
            { name: nameOf(other), note: texts.removed },
          ]}
          differences={differences}
          choices={choices}
          choose={(key, choice) => setChoices({ ...choices, [key]: choice })}
        />
        {differences.length === 0 && <p className={styles.same}>{texts.noDifferences}</p>}
      </div>
      <aside className={styles.side} aria-labelledby="merge-effects">
        <h2 id="merge-effects">{texts.effects}</h2>
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
        {refusal && <p className={styles.refusal}>{refusal}</p>}
        <div className={styles.actions}>
          <Button
            variant="primary"
            icon={<Combine size={15} />}
            keys="Mod+Enter"
            disabled={Boolean(refusal) || isPending}
            onClick={submit}
          >
            {texts.merge}
          </Button>
          <Link {...swapped} replace className={styles.swap}>
            <ArrowLeftRight size={14} />
            {texts.keepOther}
          </Link>
        </div>
      </aside>
    </div>
  )
}
