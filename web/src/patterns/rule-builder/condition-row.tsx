import { CircleAlert } from 'lucide-react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { FactParameters } from './fact-parameters.tsx'
import { FieldPicker } from './field-picker.tsx'
import { FieldValues, OperatorSelect } from './field-values.tsx'
import { changeRule } from './row-edits.ts'
import { readCondition } from './rule/rule-catalogue.ts'
import type { Condition, Group, Rule } from './rule/rule-tree.ts'
import { describeCondition, toText } from './rule/rule-words.ts'
import styles from './rule-builder.module.css'
import { useRuleEditor } from './rule-editor.ts'
import { RuleRow } from './rule-row.tsx'
import { RuleWords } from './rule-words-view.tsx'

type RowProps = { node: Condition; group: Group; at: number; isTop: boolean }

export function ConditionRow({ node, group, at, isTop }: RowProps) {
  const editor = useRuleEditor()
  const { id, rule } = node
  const condition = readCondition(rule, editor.words.catalogue)
  const words = describeCondition(rule, editor.words)
  const problem = editor.problems.get(id)
  const label = Object.keys(rule).length > 0 ? ruleTexts.row(toText(words)) : ruleTexts.newRow
  const change = (next: Rule) => changeRule(editor, id, next)
  return (
    <RuleRow node={node} group={group} at={at} label={label} isTop={isTop}>
      <div className={styles.parts}>
        {editor.isReadOnly ? (
          <p className={styles.readOnly}>
            <RuleWords words={words} />
          </p>
        ) : (
          <>
            <span data-part="field" className={styles.part}>
              <FieldPicker
                id={id}
                condition={condition}
                isInvalid={problem !== undefined}
                change={(next) => changeRule(editor, id, next, { id, part: 'value' })}
              />
              {condition.kind === 'field' && <OperatorSelect condition={condition} change={change} />}
            </span>
            <span data-part="value" className={styles.values}>
              {condition.kind === 'field' && <FieldValues condition={condition} change={change} />}
              {condition.kind === 'fact' && <FactParameters condition={condition} change={change} />}
            </span>
          </>
        )}
        {problem && (
          <p className={styles.problem} role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            {problem}
          </p>
        )}
      </div>
    </RuleRow>
  )
}
