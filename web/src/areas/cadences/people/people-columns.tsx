import type { Column } from '../../../patterns/grid/grid-model.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import { cadenceStepTexts } from '../../../texts/en/cadence-step-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { formatSince } from '../../../ui/format.ts'
import type { Cadence } from '../cadence-queries.ts'
import { companyOf, describeNext, type Enrollment, hueOf, isLive, nameOf, placeOf, stateOf } from './enrollment-rows.ts'
import styles from './people.module.css'

type ColumnOptions = { cadence: Cadence; now: number; locale: string }

export function peopleColumns({ cadence, now, locale }: ColumnOptions): Column<Enrollment>[] {
  const { columns } = texts
  return [
    {
      key: 'name',
      label: columns.name,
      width: 'minmax(220px, 2.4fr)',
      render: (row) => (
        <span className={styles.name}>
          <Avatar name={nameOf(row)} />
          <b>{nameOf(row)}</b>
          <span>{companyOf(row)}</span>
        </span>
      ),
    },
    { key: 'state', label: columns.state, width: '146px', render: (row) => <StateBadge row={row} /> },
    {
      key: 'step',
      label: columns.step,
      width: '150px',
      minListWidth: 760,
      render: (row) => <StepPlace row={row} cadence={cadence} />,
    },
    {
      key: 'next',
      label: columns.next,
      width: 'minmax(150px, 1fr)',
      render: (row) => <Next row={row} {...{ cadence, now, locale }} />,
    },
    {
      key: 'sender',
      label: columns.sender,
      width: '92px',
      minListWidth: 820,
      render: ({ sender }) =>
        sender && (
          <span title={sender.name}>
            <Avatar name={sender.name} />
            <span className="visually-hidden">{sender.name}</span>
          </span>
        ),
    },
    {
      key: 'since',
      label: columns.since,
      width: '90px',
      minListWidth: 900,
      render: ({ enrolled_at: at }) => <span className={styles.soft}>{formatSince(at, now, locale)}</span>,
    },
  ]
}

const StateBadge = ({ row }: { row: Enrollment }) => <Badge hue={hueOf(row)}>{texts.states[stateOf(row)]}</Badge>

/** Dots up to the current step, and its channel. */
function StepPlace({ row, cadence: { steps } }: { row: Enrollment; cadence: Cadence }) {
  const place = placeOf(row, steps)
  if (place === undefined || place === 0) return null
  const step = steps[place - 1]!
  return (
    <span className={styles.place}>
      <span className={styles.dots} role="img" aria-label={texts.stepOf(place, steps.length)}>
        {steps.map(({ id }, at) => (
          <i key={id} className={at + 1 < place ? styles.passed : at + 1 === place ? styles.current : undefined} />
        ))}
      </span>
      {cadenceStepTexts.types[step.type]}
    </span>
  )
}

function Next({ row, cadence, now, locale }: ColumnOptions & { row: Enrollment }) {
  const { text, tone } = describeNext(row, cadence, { now, locale })
  return <span className={styles[tone]}>{text}</span>
}

export const PersonCard = ({ row, ...options }: ColumnOptions & { row: Enrollment }) => (
  <span className={styles.card}>
    <Avatar name={nameOf(row)} size="medium" />
    <b>{nameOf(row)}</b>
    <StateBadge row={row} />
    <span className={styles.cardNext}>
      {isLive(row) && placeOf(row, options.cadence.steps)
        ? `${texts.stepOf(placeOf(row, options.cadence.steps)!, options.cadence.steps.length)} · `
        : ''}
      <Next row={row} {...options} />
    </span>
  </span>
)
