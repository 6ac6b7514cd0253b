import type { ReactNode } from 'react'
import { showShortcuts } from '../../session/shortcuts.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { showRepeatableProblem } from '../show-problem.ts'
import { describeTotal } from './describe-total.ts'
import styles from './list.module.css'
import type { List } from './use-list.ts'

const texts = listTexts.foot

export function ListFoot({
  list: { pages, me },
  activeIndex,
  hints,
}: {
  list: { pages: FootPages; me: Pick<List['me'], 'locale'> }
  activeIndex: number
  hints: ReactNode
}) {
  return (
    <div className={styles.foot}>
      <span className="number">
        {listTexts.position(formatNumber(activeIndex + 1, me.locale), describeTotal(pages, me.locale))}
      </span>
      {!pages.isExact && (
        <Button size="small" variant="quiet" onClick={() => countRows(pages)}>
          {listTexts.countAll}
        </Button>
      )}
      {pages.moreError !== undefined && (
        <span className={styles.hint} role="alert">
          {listTexts.moreFailed}
          <Button size="small" variant="quiet" onClick={pages.retry}>
            {stateTexts.retry}
          </Button>
        </span>
      )}
      <KeyHint keys="j k">{texts.move}</KeyHint>
      {hints}
      <span className={styles.space} />
      <button type="button" className={`${styles.hint} ${styles.shortcuts}`} onClick={showShortcuts}>
        <Kbd keys="?" /> {texts.shortcuts}
      </button>
    </div>
  )
}

export const KeyHint = ({ keys, to, children }: { keys: string; to?: string; children: string }) => (
  <span className={styles.hint}>
    <Kbd keys={keys} />
    {to && (
      <>
        –<Kbd keys={to} />
      </>
    )}{' '}
    {children}
  </span>
)

type FootPages = Pick<List['pages'], 'total' | 'isExact' | 'count' | 'moreError' | 'retry'>

const countRows = (pages: FootPages): void =>
  void pages.count().catch((error) => showRepeatableProblem(error, () => countRows(pages)))
