import { Plus, SquarePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConditionRow } from './condition-row.tsx'
import { addCondition, addGroup } from './row-edits.ts'
import { setKind } from './rule/edit-tree.ts'
import { type Group, type GroupKind, isGroup } from './rule/rule-tree.ts'
import styles from './rule-builder.module.css'
import { useRuleEditor } from './rule-editor.ts'
import { RuleRow } from './rule-row.tsx'

const kinds: readonly GroupKind[] = ['all', 'any', 'none']

export function RuleGroup({ group, head, level }: { group: Group; head?: ReactNode; level: number }) {
  const editor = useRuleEditor()
  const { isReadOnly, problems } = editor
  const problem = problems.get(group.id)
  return (
    <div
      className={`${styles.group} ${level > 0 ? styles[group.kind] : styles.root} ${level % 2 ? styles.sunken : ''}`}
    >
      <div className={styles.head}>
        {head}
        <KindSwitch group={group} />
        <span className={styles.ofThese}>{ruleTexts.ofThese}</span>
        {level === 0 && editor.counts.size > 1 && <span className={styles.eachAlone}>{ruleTexts.eachAlone}</span>}
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <ol className={styles.rows} data-rule-group={group.id}>
        {group.items.map((node, at) =>
          isGroup(node) ? (
            <RuleRow
              key={node.id}
              node={node}
              group={group}
              at={at}
              isTop={level === 0}
              label={ruleTexts.group(ruleTexts.kinds[node.kind], node.items.length)}
            >
              <RuleGroup group={node} level={level + 1} />
            </RuleRow>
          ) : (
            <ConditionRow key={node.id} node={node} group={group} at={at} isTop={level === 0} />
          ),
        )}
      </ol>
      {!isReadOnly && (
        <div className={styles.adding}>
          <Button
            size="small"
            variant="quiet"
            icon={<Plus size={13} />}
            onClick={() => addCondition(editor, { groupId: group.id })}
          >
            {ruleTexts.addCondition}
          </Button>
          <Button
            size="small"
            variant="quiet"
            icon={<SquarePlus size={13} />}
            onClick={() => addGroup(editor, { groupId: group.id })}
          >
            {ruleTexts.addGroup}
          </Button>
        </div>
      )}
    </div>
  )
}

function KindSwitch({ group }: { group: Group }) {
  const { edit, isReadOnly } = useRuleEditor()
  if (isReadOnly) return <b>{ruleTexts.kinds[group.kind]}</b>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a part of a line
    <span className={styles.kinds} role="group" aria-label={ruleTexts.kindLabel}>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kind === group.kind}
          onClick={() => edit((tree) => setKind(tree, group.id, kind))}
        >
          {ruleTexts.kinds[kind]}
        </button>
      ))}
    </span>
  )
}
