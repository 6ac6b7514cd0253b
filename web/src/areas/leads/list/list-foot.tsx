import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Kbd } from '../../../ui/kbd.tsx'
import { describeTotal } from '../describe-total.ts'
import styles from './list.module.css'
import type { LeadList } from './use-lead-list.ts'

/** The position in the list, and the keys that work with it. */
export function ListFoot({ list, activeIndex, canEdit }: { list: LeadList; activeIndex: number; canEdit: boolean }) {
  const { pages, me } = list
  const texts = leadTexts.foot
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
          {leadTexts.moreFailed}
          <Button size="small" variant="quiet" onClick={pages.retry}>
            {stateTexts.retry}
          </Button>
        </span>
      )}
      <span className={styles.hint}>
        <Kbd keys="j k" /> {texts.move}
      </span>
      {canEdit && (
        <>
          <span className={styles.hint}>
            <Kbd keys="x" /> {texts.select}
          </span>
          <span className={styles.hint}>
            <Kbd keys="1" />–<Kbd keys="6" /> {texts.status}
          </span>
        </>
      )}
      <span className={styles.space} />
      <span className={styles.hint}>
        <Kbd keys="?" /> {texts.shortcuts}
      </span>
    </div>
  )
}

const countRows = (pages: LeadList['pages']): void =>
  void pages.count().catch((error) => showRepeatableProblem(error, () => countRows(pages)))
