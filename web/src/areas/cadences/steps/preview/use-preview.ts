import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { previewCadenceEmail } from '../../../../api/access.gen.ts'
import { listMissing, nameMissing } from '../../../../patterns/step-editor/template-text.ts'
import type { TemplateValue } from '../../../../patterns/step-editor/template-values.ts'
import { may, useMe } from '../../../../session/me.ts'
import type { StepValues } from '../step-model.ts'
import { listStepProblems } from '../step-problems.ts'
import { type PreviewPerson, previewPeopleQuery, previewQuery } from './preview-queries.ts'

const pauseMs = 600
const maxLengths = { subject: 200, body: 20_000 }

export type Preview = ReturnType<typeof usePreview>

type Options = { values: readonly TemplateValue[] | undefined; isShown: boolean }

/** The email of a step as a real person would get it, a moment after the last key. */
export function usePreview(cadenceId: string, step: StepValues, { values, isShown }: Options) {
  const me = useMe()
  const isAllowed = isShown && may(me, previewCadenceEmail)
  const people = useQuery({ ...previewPeopleQuery(cadenceId), enabled: isAllowed })
  const [chosen, setChosen] = useState<PreviewPerson>()
  const list = useMemo(() => {
    const found = people.data ?? []
    return chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  }, [people.data, chosen])
  const at = Math.max(
    0,
    list.findIndex(({ id }) => id === chosen?.id),
  )
  const person = list[at]
  const known = useMemo(() => values && new Set(values.map(({ key }) => key)), [values])
  const isEmpty = !step.subject_template?.trim() && !step.body_template?.trim()
  const hasProblem = listStepProblems(step, known).some(({ kind }) => kind !== 'required')
  const texts = useTexts(step)
  const rendered = useQuery({
    ...previewQuery(cadenceId, person ?? unknownPerson, texts),
    enabled: isAllowed && person !== undefined && !isEmpty && !hasProblem && Object.keys(texts).length > 0,
    placeholderData: keepPreviousData,
  })
  const { subject = null, text = null, missing: first = null } = rendered.data ?? {}
  const missing = useMemo(
    () => new Set([...listMissing(subject, text), ...(first ? [first] : [])]),
    [subject, text, first],
  )
  return {
    isAllowed,
    people,
    list,
    person,
    choose: setChosen,
    goTo: (by: -1 | 1) => setChosen(list[(at + by + list.length) % list.length]),
    isEmpty,
    hasProblem,
    hasUnsubscribe: step.body_template?.includes('unsubscribe_url') === true,
    rendered,
    missing,
  }
}

const unknownPerson: PreviewPerson = { kind: 'lead', id: '', name: '', email: '' }

/** The texts after a pause, in which missing values have their name unless the texts become too long. */
function useTexts({ subject_template: subject, body_template: body }: StepValues) {
  const named = { subject: nameMissing(subject ?? ''), body: nameMissing(body ?? '') }
  const fits = named.subject.length <= maxLengths.subject && named.body.length <= maxLengths.body
  const shown = fits ? named : { subject: subject ?? '', body: body ?? '' }
  const current = {
    ...(shown.subject.trim() && { subject_template: shown.subject }),
    ...(shown.body.trim() && { body_template: shown.body }),
  }
  const [settled, setSettled] = useState(current)
  const isFirst = useRef(true)
  useEffect(() => {
    const settle = () => {
      isFirst.current = false
      setSettled(current)
    }
    const timer = setTimeout(settle, isFirst.current ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [current.subject_template, current.body_template])
  return settled
}
