import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { useMe } from '../../session/me.ts'
import { recordPartTexts } from '../../texts/en/record-part-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatMoney } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { labelOfKey } from '../label-of-key.ts'
import { showRepeatableProblem } from '../show-problem.ts'
import { ProblemState, Skeleton } from '../states.tsx'
import { useNow } from '../use-now.ts'
import styles from './found-values.module.css'
import itemStyles from './record-items.module.css'

type EnrichedRecord = { type: 'lead' | 'contact' | 'account'; id: string }
type Suggestion = Schemas['EnrichmentSuggestion']
type Decision = 'accept' | 'reject'

const texts = recordPartTexts.suggestions

export const foundValuesQuery = ({ type, id }: EnrichedRecord) =>
  queryOptions({
    queryKey: areaKeys.suggestions({ type, id }),
    queryFn: async ({ signal }) => {
      const params = { path: { entity_type: type, entity_id: id } }
      return (await read(api.GET('/api/enrichment/status/{entity_type}/{entity_id}', { params, signal }))).suggestions
    },
  })

type FoundValuesProps = {
  record: EnrichedRecord
  canDecide: boolean
  labelOf: (field: string) => string
  /** Reads the record again, which an accepted value has changed. */
  refresh: () => Promise<unknown>
}

/** Values that providers have found for fields with another value. An accepted one replaces that of the field. */
export function FoundValues({ record, canDecide, labelOf, refresh }: FoundValuesProps) {
  const query = foundValuesQuery(record)
  const { data, error, isPending, refetch } = useQuery(query)
  const decide = useMutation({
    mutationFn: ({ suggestion: { id }, decision }: { suggestion: Suggestion; decision: Decision }) =>
      read(
        api.POST(`/api/enrichment/suggestions/{suggestion_id}/${decision}`, {
          params: { path: { suggestion_id: id } },
        }),
      ),
    onSuccess: async (_, { suggestion: { id, field }, decision }) => {
      queryClient.setQueryData(query.queryKey, (before) => before?.filter((one) => one.id !== id))
      showToast(decision === 'accept' ? texts.accepted(labelOf(field)) : texts.rejected)
      if (decision === 'accept') await refresh()
    },
    onError: (problem, decision) => showRepeatableProblem(problem, () => decide.mutate(decision)),
  })
  if (isPending) return <Skeleton rows={3} />
  if (error) return <ProblemState error={error} part={texts.part} retry={() => void refetch()} />
  if (data.length === 0) return <p className={itemStyles.none}>{texts.none}</p>
  return (
    <ul className={itemStyles.items}>
      {data.map((suggestion) => (
        <FoundValue
          key={suggestion.id}
          suggestion={suggestion}
          label={labelOf(suggestion.field)}
          isBusy={decide.isPending}
          decide={canDecide ? (decision) => decide.mutate({ suggestion, decision }) : undefined}
        />
      ))}
    </ul>
  )
}

type FoundValueProps = {
  suggestion: Suggestion
  label: string
  isBusy: boolean
  decide: ((decision: Decision) => void) | undefined
}

function FoundValue({ suggestion, label, isBusy, decide }: FoundValueProps) {
  const { locale } = useMe()
  const now = useNow()
  const { current_value: before, suggested_value: after, provider, created_at: at } = suggestion
  return (
    <li>
      <div>
        <b>{label}</b>
        <p className={styles.values}>
          {describeValue(after, locale)}
          {describeValue(before, locale) && (
            <>
              {' '}
              <small>
                {texts.now} {describeValue(before, locale)}
              </small>
            </>
          )}
        </p>
        <small>{[provider && labelOfKey(provider), formatAgo(at, now, locale)].filter(Boolean).join(' · ')}</small>
      </div>
      {decide && (
        <>
          <Button
            size="small"
            icon={<Check size={14} />}
            disabled={isBusy}
            aria-label={texts.acceptOf(label)}
            onClick={() => decide('accept')}
          >
            {texts.accept}
          </Button>
          <Button
            size="small"
            variant="quiet"
            icon={<X size={14} />}
            disabled={isBusy}
            aria-label={texts.rejectOf(label)}
            onClick={() => decide('reject')}
          >
            {texts.reject}
          </Button>
        </>
      )}
    </li>
  )
}

function describeValue(value: unknown, locale: string): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? formatMoney(value as { amount: string; currency: string }, locale) : String(value)
}
