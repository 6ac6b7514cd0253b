import type { Word } from './rule/rule-words.ts'

export const RuleWords = ({ words }: { words: readonly Word[] }) =>
  words.map(({ text, isValue }, at) => (isValue ? <b key={at}>{text}</b> : <span key={at}>{text}</span>))
