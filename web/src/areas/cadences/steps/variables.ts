import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { stepEditorTexts } from '../../../texts/en/step-editor-texts.ts'
import { variablesQuery } from '../cadence-queries.ts'

const labels: Readonly<Record<string, string>> = stepEditorTexts.labels

/** The values that texts can contain. They are read when a text is edited or checked. */
export function useVariables(isNeeded: boolean) {
  const { data } = useQuery({ ...variablesQuery, enabled: isNeeded })
  return useMemo(
    () => ({
      values: data?.map((value) => ({ ...value, label: labels[value.key] ?? value.label })),
      known: data && new Set(data.map(({ key }) => key)),
    }),
    [data],
  )
}
