import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { replaceCrmSettings } from '../../../api/access.gen.ts'
import { crmSettingsQuery } from '../../../patterns/crm-settings-query.ts'
import type { TemplateValue } from '../../../patterns/step-editor/template-values.ts'
import { may, useMe } from '../../../session/me.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { adminsQuery } from '../cadence-queries.ts'
import type { Steps } from '../steps/use-steps.ts'
import styles from './checklist.module.css'
import { listMissingParts, type MissingPart } from './missing-parts.ts'

const AddressesDialog = lazyPart(() => import('./addresses-dialog.tsx'), 'AddressesDialog')

const texts = cadenceTexts.checks

type ChecklistProps = {
  steps: Steps
  values: readonly TemplateValue[] | undefined
  /** Opens a step that lacks something. */
  open: (key: string | undefined) => void
}

export function useMissingParts(steps: Steps, values: readonly TemplateValue[] | undefined) {
  const { data } = useQuery(crmSettingsQuery)
  const known = values && new Set(values.map(({ key }) => key))
  return { parts: listMissingParts(steps.edits, known, data?.sending), sending: data?.sending }
}

/** Lists what a draft has and what it lacks before it can start, each with the way there. */
export function Checklist({ steps, values, open }: ChecklistProps) {
  const { parts, sending } = useMissingParts(steps, values)
  const count = steps.edits.steps.length
  const title = parts.length > 0 ? cadenceTexts.missing : cadenceTexts.ready
  return (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.list}>
        {!parts.some(({ kind }) => kind === 'steps') && <Done>{texts.hasSteps(count)}</Done>}
        {parts.map((part) => (
          <Missing key={JSON.stringify(part)} part={part} open={open} />
        ))}
        {sending?.from_address && sending.postal_address && <Done>{`${texts.sender}: ${sending.from_address}`}</Done>}
      </ul>
    </section>
  )
}

const Done = ({ children }: { children: string }) => (
  <li className={styles.done}>
    <CircleCheck size={16} aria-hidden="true" />
    <span>{children}</span>
  </li>
)

function Missing({ part, open }: { part: MissingPart; open: ChecklistProps['open'] }) {
  const isAddress = part.kind === 'from_address' || part.kind === 'postal_address'
  return (
    <li className={styles.missing}>
      <CircleAlert size={16} aria-hidden="true" />
      <span>
        <b>{describe(part)}</b>
        {isAddress && <WhoCanSet />}
      </span>
      {part.kind === 'step' && (
        <Button size="small" onClick={() => open(part.key)}>
          {texts.goTo(part.position)}
        </Button>
      )}
      {part.kind === 'from_address' && <SetAddresses />}
    </li>
  )
}

const sentences = {
  steps: texts.noSteps,
  from_address: texts.noSender,
  postal_address: texts.noPostalAddress,
}

function describe(part: MissingPart): string {
  if (part.kind !== 'step') return sentences[part.kind]
  const { position, problem, value = '' } = part
  const ofStep = {
    subject: texts.noSubject(position),
    text: texts.noText(position),
    unknown: texts.unknownValue(position, value),
    malformed: texts.malformed(position),
    long: texts.long(position),
    unsaved: texts.unsaved(position),
  }
  return ofStep[problem]
}

/** Names an admin, for users who cannot set it themselves. */
function WhoCanSet() {
  const me = useMe()
  const isOwn = may(me, replaceCrmSettings)
  const { data } = useQuery({ ...adminsQuery, enabled: !isOwn })
  const [first] = data ?? []
  return first && !isOwn ? <small>{cadenceTexts.whoCanSet(first.name, data!.length - 1)}</small> : null
}

function SetAddresses() {
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  if (!may(me, replaceCrmSettings)) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {cadenceTexts.setAddresses}
      </Button>
      {isOpen && <AddressesDialog close={() => setOpen(false)} />}
    </>
  )
}
