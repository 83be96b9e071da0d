export { sizeText, toTree, visibleRows, type TreeNode, type TreeRow } from './fileTree.ts';
export {
  createPackageStore,
  createPackageStores,
  type Originals,
  type PackageState,
  type PackageStore,
} from './packageStore.ts';
export { PackageTab } from './PackageTab.tsx';
