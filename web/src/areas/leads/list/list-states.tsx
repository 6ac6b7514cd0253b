import { UsersRound } from 'lucide-react'
import { EmptyList, type EmptySlot } from '../../../patterns/list/empty-list.tsx'
import { leadListTexts } from '../../../texts/en/lead-list-texts.ts'

const texts = leadListTexts.empty

export const EmptyLeads = (slot: EmptySlot) => (
  <EmptyList
    {...slot}
    icon={<UsersRound size={20} />}
    views={{
      all: { title: texts.title, text: slot.create ? texts.text : texts.textReadOnly, mayCreate: true },
      queue: {
        title: texts.queueTitle,
        text: texts.queueText,
        links: { unassigned: texts.showUnassigned, all: texts.showAll },
      },
      unassigned: {
        title: texts.unassignedTitle,
        text: texts.unassignedText,
        hue: 'success',
        links: { all: texts.showAll },
      },
    }}
    noMatch={{ title: texts.filteredTitle, text: texts.filteredText }}
  />
)
