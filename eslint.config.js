import path from 'node:path';
import js from '@eslint/js';
import globals from 'globals';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * The map of docs/architecture.md, "may import" column, as data. The first matching row wins, so narrower
 * folders stand first. A room may always import from itself. `packages` lists npm packages that only
 * the rooms naming them may import.
 */
const rooms = [
  { room: 'shared/contract', mayImport: ['shared'] },
  { room: 'shared', mayImport: [] },
  { room: 'main/cloud', mayImport: ['shared'] },
  { room: 'main/cache', mayImport: ['shared'] },
  { room: 'main/importer', mayImport: ['shared', 'main/cache'] },
  { room: 'main/media', mayImport: ['shared', 'main/cache', 'main/cloud'] },
  { room: 'main/evidence', mayImport: ['shared', 'main/cache'] },
  {
    room: 'main/desk',
    mayImport: ['shared', 'main/cache', 'main/cloud', 'main/importer', 'main/media', 'main/evidence'],
  },
  { room: 'main/hosts/electron', mayImport: ['shared', 'main/desk'] },
  { room: 'main/hosts/browser', mayImport: ['shared', 'main/desk'] },
  { room: 'main/hosts/cli', mayImport: ['shared', 'main/desk', 'main/hosts/browser'] },
  { room: 'preload', mayImport: ['shared'] },
  { room: 'renderer/ui', mayImport: ['shared'] },
  { room: 'renderer/features', mayImport: ['shared', 'renderer/ui', 'renderer/app/client'] },
  { room: 'renderer/app', mayImport: ['shared', 'renderer/ui', 'renderer/features'] },
  { room: 'test/simulator', mayImport: [] },
];
const restrictedPackages = [
  { name: 'electron', only: ['main/hosts/electron', 'preload'] },
  { name: 'better-sqlite3', only: ['main/cache'] },
  { name: 'axios', only: ['main/cloud'] },
  { name: 'yauzl', only: ['main/importer', 'main/evidence', 'main/cache'] },
  { name: 'react', only: ['renderer'] },
];

const root = import.meta.dirname;
const isWithin = (file, folder) => file === folder || file.startsWith(`${folder}/`);

const roomsRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const home = rooms.find((r) => isWithin(file, r.room));
    const check = (node) => {
      const source = node.source;
      if (!source || typeof source.value !== 'string') return;
      const spec = source.value;
      if (spec.startsWith('.')) {
        if (!home) return;
        const target = path
          .relative(root, path.resolve(path.dirname(context.filename), spec))
          .split(path.sep)
          .join('/');
        if (isWithin(target, home.room)) {
          const innerHome = rooms.find((r) => isWithin(target, r.room));
          if (innerHome === home) return;
        }
        if (home.mayImport.some((folder) => isWithin(target.replace(/\.tsx?$/, ''), folder))) return;
        context.report({
          node: source,
          message: `${home.room} may not import ${target} (see docs/architecture.md)`,
        });
        return;
      }
      if ((file.startsWith('shared/') || file.startsWith('renderer/')) && spec.startsWith('node:')) {
        context.report({ node: source, message: `${file.split('/')[0]} is free of Node: ${spec}` });
      }
      if (file.startsWith('test/') || file.startsWith('scripts/')) return;
      const rule = restrictedPackages.find((p) => spec === p.name || spec.startsWith(`${p.name}/`));
      if (rule && !rule.only.some((folder) => isWithin(file, folder))) {
        context.report({ node: source, message: `${spec} may be imported only in ${rule.only.join(', ')}` });
      }
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default tseslint.config(
  { ignores: ['dist', 'release', 'node_modules', 'test-results', 'playwright-report', 'coverage'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    plugins: { desk: { rules: { rooms: roomsRule } } },
    languageOptions: { globals: { ...globals.node } },
    rules: {
      'desk/rooms': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      'no-warning-comments': ['error', { terms: ['fixme', 'xxx'] }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
    },
  },
  // Parts of it run in the page.
  { files: ['scripts/screenshots.mjs'], languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['renderer/**/*.{ts,tsx}', 'preload/**/*.ts'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { globals: { ...globals.browser } },
    rules: { ...reactHooks.configs.recommended.rules },
  },
);
