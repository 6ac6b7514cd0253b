import { formatPercent } from '../../../patterns/amounts.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import type { Hue } from '../../../ui/badge.tsx'
import { formatMoney, formatNumber } from '../../../ui/format.ts'
import type { BoardStage } from '../board-moves.ts'
import styles from './lane-header.module.css'

export const StageDot = ({ hue }: { hue: Hue }) => <i className={`${styles.dot} ${styles[hue]}`} />

type HeaderProps = { stage: BoardStage; hue: Hue; locale: string; show: () => void }

export const OpenLaneHeader = ({ stage, hue, locale }: HeaderProps) => (
  <>
    <h2 className={styles.title}>
      <StageDot hue={hue} />
      <span className={styles.label}>{stage.label}</span>
      <span className={`number ${styles.count}`}>{formatNumber(stage.count, locale)}</span>
      <span className={`number ${styles.sum}`}>{formatMoney(stage.amount, locale)}</span>
    </h2>
    <div className={`number ${styles.probability}`}>
      <span className={styles.meter} aria-hidden="true">
        <span className={styles[hue]} style={{ width: `${stage.probability_rate * 100}%` }} />
      </span>
      <span className="visually-hidden">{dealTexts.probability(formatPercent(stage.probability_rate, locale))}</span>
      <span aria-hidden="true">{formatPercent(stage.probability_rate, locale)}</span>
    </div>
  </>
)

export const ClosedLaneHeader = ({ stage, hue, locale, show }: HeaderProps) => (
  <>
    <h2 className={styles.title}>
      <StageDot hue={hue} />
      <span className={styles.label}>{stage.label}</span>
      <span className={`number ${styles.count}`}>{formatNumber(stage.count, locale)}</span>
    </h2>
    <button type="button" className={styles.closed} disabled={stage.count === 0} onClick={show}>
      <span className="visually-hidden">{dealTexts.showClosed(stage.label)}</span>
      <b className="number">{formatMoney(stage.amount, locale)}</b>
      <span>{dealTexts.thisQuarter}</span>
    </button>
  </>
)
