import { Contact } from 'lucide-react'
import { EmptyList, type EmptySlot } from '../../../patterns/list/empty-list.tsx'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'

const texts = contactListTexts.empty

export function EmptyContacts(slot: EmptySlot) {
  const links = { all: texts.showAll }
  return (
    <EmptyList
      {...slot}
      icon={<Contact size={20} />}
      views={{
        all: { title: texts.title, text: slot.create ? texts.text : texts.textReadOnly, mayCreate: true },
        mine: { title: texts.mineTitle, text: texts.mineText, links },
        customers: { title: texts.customersTitle, text: texts.customersText, links },
        unlinked: { title: texts.unlinkedTitle, text: texts.unlinkedText, hue: 'success', links },
      }}
      noMatch={{ title: texts.filteredTitle, text: texts.filteredText }}
    />
  )
}
