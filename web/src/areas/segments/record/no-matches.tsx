import { type Group, isGroup, type RuleNode } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { describeCondition, toText } from '../../../patterns/rule-builder/rule/rule-words.ts'
import { useMe } from '../../../session/me.ts'
import { ruleTexts } from '../../../texts/en/rule-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { ObjectType } from '../segment-queries.ts'
import styles from './count-panel.module.css'
import type { RulePage } from './use-rule-page.ts'

type NoMatchesProps = { tree: Group; page: Pick<RulePage, 'counts' | 'words'>; objectType: ObjectType }

export function NoMatches({ tree, page, objectType }: NoMatchesProps) {
  const { locale } = useMe()
  const rows = tree.items.flatMap((node) => {
    const alone = page.counts.get(node.id)
    return alone ? [{ node, alone }] : []
  })
  const describe = (node: RuleNode) =>
    isGroup(node)
      ? ruleTexts.group(ruleTexts.kinds[node.kind], node.items.length)
      : toText(describeCondition(node.rule, page.words))
  const empty = rows.filter(({ alone }) => alone.count === 0)
  const advice =
    empty.length > 0
      ? texts.zero.emptyCondition(empty.length)
      : tree.kind === 'all' && rows.length > 1
        ? texts.zero.noneOfAll[objectType]
        : texts.zero.change
  return (
    <div className={styles.noMatches}>
      {rows.length > 1 && (
        <dl>
          {rows.map(({ node, alone }) => (
            <div key={node.id}>
              <dt>{describe(node)}</dt>
              <dd className="number">{`${formatNumber(alone.count, locale)}${alone.relation === 'gte' ? '+' : ''}`}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>{advice}</p>
    </div>
  )
}
