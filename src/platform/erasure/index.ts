export { lockTextRows, scanForMentions, updateTextRows } from './mention-scan.queries.ts'
export { eraseMentions, mentionsOf, toMentionPattern } from './mentions.ts'
