export { defineFact } from './fact.rules.ts'
export {
  hasAnyPhrase,
  matchesRule,
  operatorLabels,
  operatorsOf,
  type RuleRecord,
  valueKindOf,
} from './match-rule.rules.ts'
export { parseRule, parseRuleOrThrow, type RuleLocation } from './parse-rule.rules.ts'
export { moneyParser, toPointerSegment } from './parse-value.rules.ts'
export { resolveFacts } from './resolve-facts.service.ts'
export {
  type ComparisonOperator,
  type FactLeaf,
  type FieldLeaf,
  type FieldPredicate,
  leavesOf,
  type PredicateOf,
  type Rule,
  toCalendarDays,
  toInstants,
} from './rule.rules.ts'
export { RuleDocument, type RuleInput } from './rule.schemas.ts'
export { columnExpression, foldTextSql } from './rule-columns.queries.ts'
export { type CompileOptions, comparisons, recordsOf, ruleCondition } from './rule-sql.queries.ts'
export { foldCase, normalizeWords } from './text-folding.rules.ts'
export {
  type FieldCatalogue,
  fieldsOfType,
  type RuleContext,
  type RuleField,
  type RuleVocabulary,
  searchedFields,
  selectField,
  toFieldLabel,
} from './vocabulary.rules.ts'
