import { useState } from 'react'
import { enrollSegment } from '../../../api/access.gen.ts'
import { useIntent } from '../../../api/intent.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { may, useMe } from '../../../session/me.ts'
import { cadencePeopleTexts } from '../../../texts/en/cadence-people-texts.ts'
import { SelectField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type Cadence, refreshPeople } from '../cadence-queries.ts'
import { noteEnrolled } from '../people/enroll-results.ts'
import type { ChangeSearch } from '../record/cadence-search.ts'
import { FirstEmails } from '../record/start-dialog.tsx'
import { enrollMembers, enrollPeople, isLarge, type Person, readOutcome, type Segment } from './enroll-api.ts'
import { PersonFields } from './person-fields.tsx'
import { countText, SegmentFields } from './segment-fields.tsx'

const texts = cadencePeopleTexts.enroll
type Source = keyof typeof texts.sources
type Mode = keyof typeof texts.modes

type EnrollProps = { cadence: Cadence; change: ChangeSearch; close: () => void }

/** Enrolls single people or the members of a segment. Says how many they are and how many emails leave today. */
export function EnrollDialog({ cadence, change, close }: EnrollProps) {
  const me = useMe()
  const intent = useIntent()
  const mayUseSegments = may(me, enrollSegment)
  const [source, setSource] = useState<Source>(mayUseSegments ? 'segment' : 'people')
  const [people, setPeople] = useState<readonly Person[]>([])
  const [segment, setSegment] = useState<Segment>()
  const [mode, setMode] = useState<Mode>('once')
  const [sender, setSender] = useState<keyof typeof texts.senders>('record')
  const senderId = sender === 'me' ? me.id : undefined
  const count = source === 'people' ? people.length : (segment?.member_count ?? undefined)
  const text = source === 'segment' && segment ? countText(segment, me.locale) : formatNumber(count ?? 0, me.locale)
  const isReady = source === 'people' ? people.length > 0 : segment !== undefined

  const form = useForm(async () => {
    const key = intent.keyOf({ source, people, segment: segment?.id, mode, sender })
    const response =
      source === 'people'
        ? await enrollPeople(cadence.id, people, senderId, key)
        : await enrollMembers(cadence.id, { segmentId: segment!.id, mode, senderId }, key)
    intent.end()
    close()
    change({ tab: 'people', status: undefined, reason: undefined, at: undefined, sender: undefined, step: undefined })
    const finish = async () => {
      const outcome = await readOutcome(response, texts.running(cadence.name))
      if (outcome) noteEnrolled(cadence.id, outcome)
      else showToast(texts.failed, { tone: 'failed' })
      await refreshPeople(cadence.id)
    }
    if (isLarge(response)) void finish()
    else await finish()
  }, cadencePeopleTexts.problem)

  const [first] = cadence.steps
  const isEmailDue = first?.type === 'email_auto' && first.delay_days + first.delay_hours === 0
  return (
    <FormDialog
      title={texts.title(cadence.name)}
      submit={isReady && count !== undefined ? texts.submit(count, text) : texts.submitSegment}
      form={isReady ? form : { ...form, isPending: true }}
      close={close}
    >
      {mayUseSegments && (
        <RadioGroup
          label={texts.who}
          name="source"
          value={source}
          onChange={setSource}
          options={(['segment', 'people'] as const).map((value) => ({ value, ...texts.sources[value] }))}
        />
      )}
      {source === 'segment' ? (
        <SegmentFields {...{ segment, mode }} chooseSegment={setSegment} chooseMode={setMode} />
      ) : (
        <PersonFields people={people} change={setPeople} />
      )}
      <SelectField
        label={texts.sender}
        value={sender}
        onChange={({ target }) => setSender(target.value as typeof sender)}
        options={(['record', 'me'] as const).map((value) => ({ value, label: texts.senders[value] }))}
      />
      {isEmailDue && isReady && count ? <FirstEmails cadence={cadence} people={count} /> : null}
      <p>{texts.skips}</p>
    </FormDialog>
  )
}
