import { SlidersHorizontal } from 'lucide-react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import type { List } from './use-list.ts'

const DisplayPopup = lazyPart(() => import('./display-popup.tsx'), 'DisplayPopup')

/** The order of the list, its columns, how high its rows are, and the stored view. */
export const DisplayMenu = ({ list, saveView }: { list: List; saveView: () => void }) => (
  <MenuButton
    label={listTexts.display}
    icon={<SlidersHorizontal size={15} />}
    variant="quiet"
    prepare={() => void DisplayPopup.load().catch(() => {})}
    renderPopup={(popup) => <DisplayPopup {...popup} list={list} saveView={saveView} />}
  >
    {listTexts.display}
  </MenuButton>
)
