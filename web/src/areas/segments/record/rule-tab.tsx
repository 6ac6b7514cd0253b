import { ListTree, UsersRound } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { countLevels, listConditions, maxLevels } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { RuleWords } from '../../../patterns/rule-builder/rule-words-view.tsx'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useNarrow } from '../../../patterns/use-narrow.ts'
import { useMe } from '../../../session/me.ts'
import { ruleTexts } from '../../../texts/en/rule-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { CountPanel, type CountPanelProps, CountSection, countText, Samples } from './count-panel.tsx'
import styles from './rule-tab.module.css'
import type { EditedRule } from './use-rule-draft.ts'

const RuleBuilder = lazyPart(() => import('../../../patterns/rule-builder/rule-builder.tsx'), 'RuleBuilder', {
  waiting: <Skeleton rows={4} />,
  renderFailure: (error) => <ProblemState error={error} part={texts.tabs.rule} retry={() => location.reload()} />,
})
void RuleBuilder.load().catch(() => {})

type RuleTabProps = Omit<CountPanelProps, 'edited' | 'sentenceId'> & {
  edited: EditedRule
  isReadOnly: boolean
  notice?: ReactNode
}

export function RuleTab({ notice, isReadOnly, ...panel }: RuleTabProps) {
  const { page, edited, objectType } = panel
  const { tree } = edited.draft
  const sentenceId = useId()
  const isNarrow = useNarrow()
  return (
    <div className={styles.split}>
      <div className={styles.left}>
        <div className={styles.scroll} tabIndex={isReadOnly ? 0 : undefined}>
          {notice}
          <RuleBuilder
            tree={tree}
            change={edited.change}
            objectType={objectType}
            words={page.words}
            noteName={edited.noteName}
            problems={page.problems}
            counts={page.counts}
            isReadOnly={isReadOnly}
            describedBy={sentenceId}
          />
        </div>
        {!isNarrow && <RuleFoot tree={tree} isReadOnly={isReadOnly} />}
      </div>
      {isNarrow ? <PhoneBar {...panel} /> : <CountPanel {...panel} sentenceId={sentenceId} />}
    </div>
  )
}

function RuleFoot({ tree, isReadOnly }: { tree: EditedRule['draft']['tree']; isReadOnly: boolean }) {
  const { keys } = ruleTexts
  const levels = Math.max(1, Math.min(maxLevels, countLevels(tree)))
  return (
    <div className={styles.foot}>
      {!isReadOnly && (
        <>
          <span>
            <Kbd keys="Alt+ArrowUp+ArrowDown" /> {keys.move}
          </span>
          <span>
            <Kbd keys="Enter" /> {keys.add}
          </span>
          <span>
            <Kbd keys="Shift+Enter" /> {keys.group}
          </span>
          <span>
            <Kbd keys={ruleTexts.deleteKey} /> {keys.remove}
          </span>
        </>
      )}
      <span className={styles.size}>{ruleTexts.size(listConditions(tree).length, levels)}</span>
    </div>
  )
}

function PhoneBar(panel: Omit<CountPanelProps, 'sentenceId'>) {
  const { page, objectType } = panel
  const { locale } = useMe()
  const [sheet, setSheet] = useState<'samples' | 'words'>()
  const close = () => setSheet(undefined)
  const { counted, status } = page.preview.state
  return (
    <div className={styles.phoneBar}>
      <span className={`${styles.phoneCount} ${status === 'done' ? '' : styles.old}`}>
        {counted && (
          <>
            <b className="number">{countText(counted.result.count, counted.result.count_relation, locale)}</b>{' '}
            {texts.nouns[objectType](counted.result.count)}
          </>
        )}
      </span>
      <Button icon={<UsersRound size={15} />} onClick={() => setSheet('samples')}>
        {texts.samples}
      </Button>
      <Button variant="quiet" icon={<ListTree size={15} />} onClick={() => setSheet('words')}>
        {texts.inWords}
      </Button>
      {sheet === 'samples' && (
        <Dialog title={texts.count} close={close} isForReading>
          <CountSection {...panel} />
          <Samples {...panel} />
        </Dialog>
      )}
      {sheet === 'words' && (
        <Dialog title={texts.inWords} close={close} isForReading>
          <p>
            <RuleWords words={page.sentence} />
          </p>
        </Dialog>
      )}
    </div>
  )
}
